import type { PaymentRequest } from '@payassent/sdk';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';

const texts = paymentRequests.said;

/** Every free-form member, flat: a name and a text each, so that no structure of the agent shapes the page. */
export function SaidByAgent({ request }: { request: PaymentRequest }) {
  const { agent_id: _, agent_name: __, merchant_name: ___, ...source } = request.source;
  const parts = [
    [texts.display, request.display],
    [texts.metadata, request.metadata],
    [texts.source, source],
  ] as const;
  const said = parts.map(([title, value]) => ({ title, lines: linesOf(value ?? {}) }));
  const isSilent = said.every(({ lines }) => lines.length === 0);
  return (
    <section className="said stack" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p className="soft">
        {texts.agent}: <ForeignText inline>{agentName(request)}</ForeignText>
      </p>
      <p className="soft" data-fact="created-with">
        {texts.createdWith}: {texts.origins[request.created_with ?? 'unknown']}
      </p>
      {isSilent ? <p>{texts.nothing}</p> : <p className="soft">{texts.lead}</p>}
      {said.map(({ title, lines }) =>
        lines.length === 0 ? null : (
          <div key={title} className="stack-tight">
            <h3>{title}</h3>
            <dl className="facts">
              {lines.map(({ name, text }) => (
                <div key={name} className="said-line">
                  <dt>
                    <ForeignText inline>{name}</ForeignText>
                  </dt>
                  <dd>
                    <ForeignText lines>{text}</ForeignText>
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ),
      )}
      {request.transaction_context ? (
        <p className="soft">{texts.context(request.transaction_context.revision)}</p>
      ) : null}
    </section>
  );
}

interface Line {
  name: string;
  text: string;
}

export function linesOf(value: unknown, name = ''): Line[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => linesOf(item, `${name}[${index}]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) =>
      linesOf(member, name === '' ? key : `${name}.${key}`),
    );
  return [{ name, text: String(value) }];
}

export function agentName(request: PaymentRequest): string {
  const name = request.source['agent_name'];
  return typeof name === 'string' ? name : '';
}
