import { payeeRecordName, payeeRecordsUrl } from '@payassent/protocol';
import type { Domain, RecipientVersion } from '@payassent/sdk';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Facts } from '../../ui/facts.tsx';
import { Copied } from '../parts/copied.tsx';

const texts = recipientTexts.binding;

/** What to publish so that the domain itself names this payee, not only the organization. */
export function PayeeRecord({ version, domain }: { version: RecipientVersion; domain: Domain }) {
  const isDns = domain.method === 'dns';
  const place = isDns ? payeeRecordName(domain.domain) : payeeRecordsUrl(domain.domain);
  return (
    <details className="stack-tight">
      <summary>{texts.title}</summary>
      <div className="stack-tight">
        <p className="soft">{isDns ? texts.leadDns : texts.leadHttps}</p>
        <Facts
          facts={[
            [isDns ? texts.name : texts.file, <Copied key="place" value={place} name={texts.name} />],
            [texts.value, <Copied key="value" value={version.payee_record} name={texts.value} />],
          ]}
        />
        <p className="soft">{texts.stays}</p>
      </div>
    </details>
  );
}
