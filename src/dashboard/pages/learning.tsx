import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export const Learning = () => (
  <Page title="Learning">
    <Empty title="Not built yet" />
  </Page>
);
