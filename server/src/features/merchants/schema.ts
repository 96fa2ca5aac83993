import type { Issue } from '@payassent/protocol';
import { type DomainNameFault, parseDomainName } from '../../lib/domain-name/index.ts';
import { partyNameIssues } from '../agents/text.ts';

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
  return partyNameIssues(body.name);
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
