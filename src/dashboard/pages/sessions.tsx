import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Sessions = () => (
  <Page title="Sessions">
    <Empty title="Not built yet" />
  </Page>
);
