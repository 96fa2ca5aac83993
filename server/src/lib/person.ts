/**
 * The person behind an address: mailboxes read `me+second@`, `m.e@` and `Me@` of one domain as one. Two of them are no
 * second pair of eyes.
 */
function personOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).toLowerCase();
  const bare = local.replace(/\+.*$/, '').replaceAll('.', '');
  return `${bare === '' ? local : bare}@${email.slice(at + 1).toLowerCase()}`;
}

export function isSamePerson(one: string, other: string): boolean {
  return personOf(one) === personOf(other);
}

export function countPersons(emails: readonly string[]): number {
  return new Set(emails.map(personOf)).size;
}
