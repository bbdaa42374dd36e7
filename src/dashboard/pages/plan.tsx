import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Plan = () => (
  <Page title="Plan">
    <Empty title="Not built yet" />
  </Page>
);
