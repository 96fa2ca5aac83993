import { allowAddresses, findForeignAddresses, findRiskyText, type Issue } from '@payassent/protocol';
import { type DomainNameFault, parseDomainName } from '../../lib/domain-name.ts';

/** A name is shown in wallets beside the payee: an address in it could be taken for the one to pay. */
const NO_ADDRESS = allowAddresses([]);

/** What the schema cannot say about a name. */
export function nameIssues(name: string | undefined): Issue[] {
  if (name === undefined) return [];
  if (name.trim() === '')
    return [{ field: 'name', code: 'invalid_format', message: 'name must not be blank.' }];
  return [...findRiskyText(name, 'name'), ...findForeignAddresses(name, 'name', NO_ADDRESS)];
}

export function changeIssues(body: {
  name?: string;
  require_payee_binding?: boolean;
  four_eyes?: boolean;
}): Issue[] {
  const { name, require_payee_binding, four_eyes } = body;
  if (name === undefined && require_payee_binding === undefined && four_eyes === undefined)
    return [
      {
        field: 'name',
        code: 'required',
        message: 'Name what to change: name, require_payee_binding or four_eyes.',
      },
    ];
  return nameIssues(body.name);
}

const DOMAIN_FAULTS: Record<DomainNameFault, string> = {
  empty: 'domain must name a host such as shop.example.',
  too_long: 'domain is longer than a host name can be.',
  not_a_host_name:
    'domain must be a host name alone, such as shop.example: no scheme, port, path, wildcard or space.',
  ip_address: 'domain must be a name, not an IP address.',
  single_label: 'domain must have at least two parts, such as shop.example.',
  public_suffix: 'domain is a suffix under which anyone can register names: name your own host below it.',
};

export function domainIssues(domain: string | undefined): Issue[] {
  if (domain === undefined) return [];
  const parsed = parseDomainName(domain);
  if (parsed.ok) return [];
  return [{ field: 'domain', code: 'invalid_format', message: DOMAIN_FAULTS[parsed.reason] }];
}
