import type { Issue, IssueCode } from '../issues.ts';
import type { WalkEnd } from './walk.ts';

/** More than the largest body can hold: every issue is listed. A bound only for those who check larger values. */
const MOST_PER_CODE = 10_000;

interface IssueList {
  /** In the order they were found. */
  readonly issues: Issue[];
  add(issue: Issue | undefined): void;
  isFull(code: IssueCode): boolean;
}

/** Each code has a separate limit, so that many issues of one kind never hide another kind. */
export function createIssueList(): IssueList {
  const issues: Issue[] = [];
  const counts = new Map<IssueCode, number>();
  const isFull = (code: IssueCode): boolean => (counts.get(code) ?? 0) >= MOST_PER_CODE;
  const add = (issue: Issue | undefined): void => {
    if (issue === undefined || isFull(issue.code)) return;
    counts.set(issue.code, (counts.get(issue.code) ?? 0) + 1);
    issues.push(issue);
  };
  return { issues, add, isFull };
}

const INCOMPLETE = {
  too_deep: {
    code: 'out_of_range',
    message: 'The value is nested too deeply to be checked; make it flatter.',
  },
  too_large: {
    code: 'out_of_range',
    message: 'The value has too many members to be checked; make it smaller.',
  },
  unreadable: { code: 'invalid_type', message: 'The value cannot be read as plain JSON data.' },
} as const;

/** A value that could not be checked is refused rather than trusted. */
export function incompleteWalkIssue(end: WalkEnd): Issue | undefined {
  return end.complete ? undefined : { field: end.path, ...INCOMPLETE[end.problem] };
}
