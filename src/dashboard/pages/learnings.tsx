import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Learnings = () => (
  <Page title="Learnings">
    <Empty title="Not built yet" />
  </Page>
);
