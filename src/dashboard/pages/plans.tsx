import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Plans = () => (
  <Page title="Plans">
    <Empty title="Not built yet" />
  </Page>
);
