import type { Agent } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { homeTexts } from '../../texts/portal/home.ts';
import { Badge, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { AddDomainForm } from '../domains/add-domain-form.tsx';
import { useMerchant } from '../session.ts';
import { Offered } from '../shell/offered.tsx';
import { HomeCharts } from './charts.tsx';
import { Money } from './money.tsx';

export function HomePage() {
  return (
    <Page title={homeTexts.title}>
      <SetupSteps />
      <Money />
      <HomeCharts />
    </Page>
  );
}

const texts = homeTexts.setup;

type StepName = keyof typeof texts.steps;
const PATHS: Record<StepName, string> = {
  domain: '/domains',
  recipient: '/recipients',
  agent: '/agents',
  test: '/test-request',
};

/** What is missing until an agent can request a payment, in the order in which it must be done. */
function SetupSteps() {
  const merchant = useMerchant();
  const progress = useQuery({
    queryKey: ['setup', merchant.merchant_id, merchant.version],
    queryFn: () => readProgress(merchant.status === 'active'),
  });
  return (
    <QueryView query={progress}>
      {(done) => {
        const names = Object.keys(texts.steps) as StepName[];
        const next = names.find((name) => !done[name]);
        if (next === undefined)
          return (
            <Note kind="good">
              <span>{texts.ready}</span>
            </Note>
          );
        return (
          <section className="card section" aria-labelledby="setup-title">
            <h2 id="setup-title">{texts.title}</h2>
            <p className="soft">{texts.lead}</p>
            <ol className="steps">
              {names.map((name) => (
                <Step key={name} name={name} state={done[name] ? 'done' : name === next ? 'next' : 'later'} />
              ))}
            </ol>
          </section>
        );
      }}
    </QueryView>
  );
}

const TONES = { done: 'good', next: 'accent', later: 'plain' } as const;

function Step({ name, state }: { name: StepName; state: keyof typeof TONES }) {
  const { title, text, action } = texts.steps[name];
  return (
    <li className="step" data-state={state}>
      <div className="row">
        <h3>{title}</h3>
        <Badge tone={TONES[state]}>{texts[state]}</Badge>
      </div>
      <p className="soft">{text}</p>
      {state === 'next' && name === 'domain' ? (
        <Offered call="POST /v1/merchant-domains">
          <AddDomainForm />
        </Offered>
      ) : null}
      {state === 'next' ? (
        <Link href={PATHS[name]} className="button" data-kind={name === 'domain' ? 'plain' : 'main'}>
          {action}
        </Link>
      ) : null}
    </li>
  );
}

async function readProgress(hasDomain: boolean): Promise<Record<StepName, boolean>> {
  if (!hasDomain) return { domain: false, recipient: false, agent: false, test: false };
  const [recipient, agent, requests] = await Promise.all([
    hasAny(merchantClient.recipients.each({ limit: 100 }), isActive),
    hasAny(merchantClient.agents.each({ limit: 100 }), hasWorkingKey),
    merchantClient.paymentRequests.list({ limit: 1 }),
  ]);
  return { domain: true, recipient, agent, test: requests.payment_requests.length > 0 };
}

function isActive({ status }: { status: string }): boolean {
  return status === 'active';
}

async function hasWorkingKey(agent: Agent): Promise<boolean> {
  return isActive(agent) && hasAny(merchantClient.agents.credentials.each(agent.agent_id), isActive);
}

/** Reads the list only up to the first match. */
async function hasAny<T>(
  list: AsyncIterable<T>,
  fits: (one: T) => boolean | Promise<boolean>,
): Promise<boolean> {
  for await (const one of list) if (await fits(one)) return true;
  return false;
}
