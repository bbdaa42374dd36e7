import { theme } from '../data/theme.ts';
import { PAGES } from '../shell.tsx';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/field.tsx';
import { Item, List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';

/** On the cover screen: the pages that have no place in the bar, and how this device shows them. */
export const More = () => (
  <Page title="More">
    <Card flush>
      <List label="More pages">
        {PAGES.filter(({ first }) => !first).map(({ href, name, icon: Icon }) => (
          <Item key={href} href={href} lead={<Icon size={18} aria-hidden="true" />} title={name} />
        ))}
      </List>
    </Card>
    <Card title="Theme">
      <Choice
        label="Theme"
        value={theme.value}
        onChange={(chosen) => {
          theme.value = chosen;
        }}
        options={[
          ['system', 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
      />
    </Card>
  </Page>
);
