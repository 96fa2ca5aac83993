import { Link } from 'wouter';
import { agentPayments as texts } from '../../texts/portal/policies.ts';
import { Page } from '../../ui/page.tsx';
import { AgentPaymentList } from './agent-payment-list.tsx';

export function AgentPaymentsPage() {
  const back = (
    <Link className="button" href="/policies">
      {texts.backToPolicies}
    </Link>
  );
  return (
    <Page title={texts.title} actions={back}>
      <p className="soft">{texts.lead}</p>
      <AgentPaymentList />
    </Page>
  );
}
