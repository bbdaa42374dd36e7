import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Devices = () => (
  <Page title="Devices">
    <Empty title="Not built yet" />
  </Page>
);
