import { Page } from '../ui/page.tsx';
import { startPage } from '../ui/start.tsx';

startPage(
  <main className="page">
    <Page title="Portal">{null}</Page>
  </main>,
);
