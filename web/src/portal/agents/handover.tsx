import type { Agent } from '@payassent/sdk';
import { keyTexts } from '../../texts/portal/agents.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { keyFileName } from './pem.ts';

const texts = keyTexts.handover;

/** Everything besides the key file that a program needs to sign in as this agent. */
export function Handover({ agent, kid }: { agent: Agent; kid: string }) {
  const baseUrl = location.origin;
  const facts = [
    [texts.agentId, agent.agent_id],
    [texts.kid, kid],
    [texts.baseUrl, baseUrl],
  ] as const;
  const sample = sampleFor(agent.agent_id, kid, baseUrl);
  return (
    <section className="card section" aria-labelledby="handover">
      <h2 id="handover">{texts.title}</h2>
      <p className="soft">{texts.lead}</p>
      <Facts
        facts={facts.map(([name, value]) => [
          name,
          <span key={name} className="row">
            <code>{value}</code>
            <CopyButton value={value} name={name} />
          </span>,
        ])}
      />
      <div className="row-between">
        <h3>{texts.sample}</h3>
        <CopyButton value={sample} name={texts.copySample} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer */}
      <section className="sample-frame" tabIndex={0} aria-label={texts.sampleLabel}>
        <pre className="sample">{sample}</pre>
      </section>
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          {texts.docs}
        </a>
      </p>
    </section>
  );
}

function sampleFor(agentId: string, kid: string, baseUrl: string): string {
  return `import { readFileSync } from 'node:fs';
import { AgentClient, agentKeyFromPem } from '@payassent/sdk';
import { fileStore } from '@payassent/sdk/node';

const agent = new AgentClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  agentId: ${JSON.stringify(agentId)},
  kid: ${JSON.stringify(kid)},
  key: agentKeyFromPem(readFileSync(${JSON.stringify(keyFileName(kid))}, 'utf8')),
  // Tokens and keys that must outlive a restart.
  store: fileStore('agent-store'),
});
`;
}
