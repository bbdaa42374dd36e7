import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Home = () => (
  <Page title="Home">
    <Empty title="Not built yet" />
  </Page>
);
