import { Fragment } from 'react';
import { review } from '../../texts/wallet.ts';
import { Badge } from '../../ui/notes.tsx';
import { isInternational } from './payment.ts';

/** A verified domain, large and whole; one whose letters can be drawn like others is marked. */
export function DomainName({ children: domain }: { children: string }) {
  return (
    <>
      <strong className="sheet-domain" data-fact="domain" data-length={lengthOf(domain)}>
        {domain.split('.').map((label, index) => (
          // Labels repeat and never move: their place is their identity. Lines break after a dot where they can.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Fragment key={index}>
            {index === 0 ? null : '.'}
            <wbr />
            {label}
          </Fragment>
        ))}
      </strong>
      {isInternational(domain) ? <Badge tone="warn">{review.pinned.international}</Badge> : null}
    </>
  );
}

const LONG_DOMAIN = 24;
const VERY_LONG_DOMAIN = 50;

function lengthOf(domain: string): 'usual' | 'long' | 'longest' {
  if (domain.length <= LONG_DOMAIN) return 'usual';
  return domain.length <= VERY_LONG_DOMAIN ? 'long' : 'longest';
}
