import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Safety = () => (
  <Page title="Safety">
    <Empty title="Not built yet" />
  </Page>
);
