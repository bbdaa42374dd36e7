import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Console = () => (
  <Page title="Console">
    <Empty title="Not built yet" />
  </Page>
);
