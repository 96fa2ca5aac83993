import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { homeTexts } from '../../texts/portal/home.ts';
import { Badge, Note } from '../../ui/notes.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { useMerchant } from '../session.ts';

const texts = homeTexts.setup;

type StepName = keyof typeof texts.steps;
const PATHS: Record<StepName, string> = { domain: '/domains', recipient: '/recipients', agent: '/agents' };

/** What is missing until an agent can ask for a payment, in the order in which it must be done. */
export function SetupSteps() {
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
  const { title, body, action } = texts.steps[name];
  return (
    <li className="step" data-state={state}>
      <div className="row">
        <h3>{title}</h3>
        <Badge tone={TONES[state]}>{texts[state]}</Badge>
      </div>
      <p className="soft">{body}</p>
      {state === 'next' ? (
        <Link href={PATHS[name]} className="button" data-kind="main">
          {action}
        </Link>
      ) : null}
    </li>
  );
}

async function readProgress(isActive: boolean): Promise<Record<StepName, boolean>> {
  if (!isActive) return { domain: false, recipient: false, agent: false };
  const [{ recipients }, { agents }] = await Promise.all([
    merchantClient.recipients.list(),
    merchantClient.agents.list(),
  ]);
  const active = agents.filter((agent) => agent.status === 'active');
  const keys = await Promise.all(
    active.slice(0, 5).map((agent) => merchantClient.agents.credentials.list(agent.agent_id)),
  );
  return {
    domain: true,
    recipient: recipients.some((recipient) => recipient.status === 'active'),
    agent: keys.some(({ credentials }) => credentials.some(({ status }) => status === 'active')),
  };
}
