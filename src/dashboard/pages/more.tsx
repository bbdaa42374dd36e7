import { Link } from 'wouter-preact';
import { Rows } from '../records/row.tsx';
import { PAGES } from '../shell.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

/** The pages that have no place in the bar of a phone. */
export const More = () => (
  <Page title="More">
    <Card flush>
      <Rows
        label="More pages"
        rows={PAGES.filter((page) => page.in !== 'bar').map(({ href, name }) => ({
          id: href,
          title: name,
          href,
        }))}
      />
    </Card>
  </Page>
);

/** What an address shows that leads to no page. */
export const NoPage = ({ to: [href, see] = ['/', 'See what goes on now'] }: { to?: [string, string] }) => (
  <Page title="No such page">
    <Card>
      <Empty title="There is nothing at this address">
        <Link href={href} class="inline-flex min-h-11 items-center text-accent underline">
          {see}
        </Link>
      </Empty>
    </Card>
  </Page>
);
