import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Nights = () => (
  <Page title="Nights">
    <Empty title="Not built yet" />
  </Page>
);
