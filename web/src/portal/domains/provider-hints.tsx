import { domainTexts } from '../../texts/portal/domains.ts';
import { Facts } from '../../ui/facts.tsx';
import { Copied } from '../parts/copied.tsx';
import { Table } from '../parts/table.tsx';
import { relativeNames } from './host-of.ts';

const texts = domainTexts.challenge.hints;

/** Words of the providers' own pages, which are not translated. */
const PROVIDERS: ReadonlyArray<readonly [provider: string, menu: string, field: string]> = [
  ['AWS Route 53', 'Hosted zones → your zone → Create record', 'Record name'],
  ['Azure DNS', 'DNS zones → your zone → Record set', 'Name'],
  ['Cloudflare', 'DNS → Records → Add record', 'Name'],
  ['Gandi', 'Domain → DNS Records → Add record', 'Name'],
  ['GoDaddy', 'Domain → DNS → Add New Record', 'Name'],
  ['Google Cloud DNS', 'Zones → your zone → Add standard', 'DNS name'],
  ['Hetzner', 'DNS → your zone → Add record', 'Name'],
  ['IONOS', 'Domains & SSL → DNS → Add record', 'Host name'],
  ['Namecheap', 'Domain List → Manage → Advanced DNS', 'Host'],
  ['OVHcloud', 'Domain names → DNS zone → Add an entry', 'Sub-domain'],
  ['Squarespace', 'Domains → DNS settings → Custom records', 'Host'],
];

/** Which menu, and what to put into the field for the name: most providers append the domain themselves. */
export function ProviderHints({ host, record }: { host: string; record: string }) {
  return (
    <details className="stack-tight">
      <summary>{texts.title}</summary>
      <div className="stack-tight">
        <p>{texts.lead}</p>
        <Facts
          facts={relativeNames(record, host).map(({ zone, name }) => [
            texts.zone(zone),
            <Copied key={zone} name={texts.shortName} value={name} />,
          ])}
        />
        <Table label={texts.table} heads={Object.values(texts.heads)}>
          {PROVIDERS.map(([provider, menu, field]) => (
            <tr key={provider}>
              <th scope="row">{provider}</th>
              <td>{menu}</td>
              <td>{field}</td>
            </tr>
          ))}
        </Table>
        <p className="soft">{texts.quotes}</p>
      </div>
    </details>
  );
}
