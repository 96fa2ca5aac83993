/** The most edits of a misspelling; more is another word. */
const MAX_EDITS = 2;

/** The known name that a misspelt one most likely means. Costs no more than the known names are long. */
export function nearestName(sent: string, known: Iterable<string>): string | undefined {
  const name = plain(sent.slice(0, MAX_LENGTH));
  let best: string | undefined;
  let least = MAX_EDITS + 1;
  for (const candidate of known) {
    const other = plain(candidate);
    if (Math.abs(other.length - name.length) > MAX_EDITS) continue;
    // In a word of three letters, two edits leave nothing.
    const edits = editsBetween(name, other);
    if (edits < least && edits * 2 < Math.max(other.length, 2)) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

const MAX_LENGTH = 64;

/** `pageSize`, `page-size` and `page_size` are one spelling. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Letters inserted, omitted or replaced, and adjacent letters swapped. */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
