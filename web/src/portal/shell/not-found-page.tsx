import { Link } from 'wouter';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Page } from '../../ui/page.tsx';

export function NotFoundPage() {
  return (
    <Page title={shellTexts.notFound.title}>
      <p>{shellTexts.notFound.body}</p>
      <p>
        <Link href="/">{shellTexts.notFound.action}</Link>
      </p>
    </Page>
  );
}
