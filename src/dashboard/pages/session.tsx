import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Session = () => (
  <Page title="Session">
    <Empty title="Not built yet" />
  </Page>
);
