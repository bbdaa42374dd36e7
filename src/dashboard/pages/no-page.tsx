import { Link } from 'wouter-preact';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

/** What an address shows that leads to no page. */
export const NoPage = () => (
  <Page title="No such page">
    <Card>
      <Empty title="There is nothing at this address">
        <Link href="/" class="inline-flex min-h-11 items-center text-accent underline">
          See what goes on now
        </Link>
      </Empty>
    </Card>
  </Page>
);
