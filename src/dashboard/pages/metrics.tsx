import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Metrics = () => (
  <Page title="Metrics">
    <Empty title="Not built yet" />
  </Page>
);
