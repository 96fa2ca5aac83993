import { domainTexts } from '../../texts/portal/domains.ts';
import { Facts } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';

const texts = domainTexts.failure;

/** The details of a failed proof: what was queried, expected and found, as far as the error has them. */
export function ProofFailure({ details }: { details: Readonly<Record<string, unknown>> }) {
  const found = foundTexts(details['found']);
  return (
    <div className="section">
      <h3>{texts.title}</h3>
      <Facts
        facts={[
          [texts.lookedUp, <code key="looked-up">{lookedUp(details['looked_up'])}</code>],
          [texts.expected, <code key="expected">{String(details['expected'] ?? '')}</code>],
          [
            texts.found,
            found.length === 0 ? (
              texts.nothing
            ) : (
              <ul key="found" className="plain-list">
                {found.map((text) => (
                  <li key={text}>
                    <ForeignText>{text}</ForeignText>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <p className="soft">{texts.next}</p>
    </div>
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function lookedUp(value: unknown): string {
  const url = member(value, 'url');
  return typeof url === 'string' ? url : `${member(value, 'type') ?? ''} ${member(value, 'name') ?? ''}`;
}

function foundTexts(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.map(String))];
  const status = member(value, 'http_status');
  if (typeof status !== 'number') return [];
  return [texts.status(status), String(member(value, 'body') ?? '')].filter(Boolean);
}
