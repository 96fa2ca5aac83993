/** A word that is not written, and what is written instead. The glossary is docs/concepts.md. */
export interface AvoidedWord {
  pattern: RegExp;
  instead: string;
  /** Files in which it is the field's own word. */
  except?: RegExp;
}

const EVERYWHERE: readonly AvoidedWord[] = [
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bwhoever\b/i, instead: 'anyone who, the caller that' },
  { pattern: /\bfor ever\b/i, instead: 'forever' },
  { pattern: /\bmend(?:s|ed)?\b/i, instead: 'fix' },
  { pattern: /\bwhat became of\b/i, instead: 'the outcome of' },
  { pattern: /\bthrown out\b/i, instead: 'revoked, refused' },
  { pattern: /\bbehind the point\b/i, instead: 'after the decimal point' },
  { pattern: /\bas hoped\b/i, instead: 'with success' },
  { pattern: /\bonce more\b/i, instead: 'again' },
];

/**
 * Of code, its comments and messages, and of page texts. Single words that are also names in the code (`answer`,
 * `fault`, `former_name`) are left to documents; these are not names.
 */
export const SOURCE_WORDS: readonly AvoidedWord[] = [
  ...EVERYWHERE,
  {
    pattern: /\b(?:nobody|somebody)\b/i,
    except: /embedded\/identity/,
    instead: 'no one, or the party: no caller, another merchant',
  },
  { pattern: /\bbeside\b/i, instead: 'next to, with' },
  { pattern: /\b(?:goes|go|went|going) on\b/i, instead: 'continue' },
  { pattern: /\basked for\b/i, instead: 'requested' },
  { pattern: /\ban answer\b/i, instead: 'a response' },
  { pattern: /\bthe one who runs\b/i, instead: 'host' },
  { pattern: /\btold apart\b/i, instead: 'distinguished' },
  { pattern: /\blies (?:in|on|at|outside|between|under)\b/i, instead: 'is in' },
];

/** What a person reads in the wallet, the portal or a mail. */
export const PAGE_WORDS: readonly AvoidedWord[] = [
  ...SOURCE_WORDS,
  { pattern: /\bat once\b/i, instead: 'immediately' },
  { pattern: /\bby itself\b/i, instead: 'automatically' },
  { pattern: /\bformer\b(?!:)/i, instead: 'previous' },
  { pattern: /\boperators?\b(?![:.'_])/i, instead: 'team member, host' },
  { pattern: /\b(?:rings?|rung|ringing)\b(?!['":]| =)/i, instead: 'notify' },
  { pattern: /\bpublic log\b/i, instead: 'transparency log' },
  { pattern: /\bRecipients?\b/, instead: 'payee' },
];

/** "Injected faults" is the field's term. */
const PROOF = /^docs\/proof\/|^docs\/decisions\/0015|^README|^CONTRIBUTING/;

export const DOCUMENT_WORDS: readonly AvoidedWord[] = [
  ...EVERYWHERE,
  { pattern: /\banswer(?:s|ed|ing)?\b/i, instead: 'response, return, respond', except: PROOF },
  { pattern: /\bfaults?\b/i, instead: 'error, failure, bug', except: PROOF },
  { pattern: /\bat once\b/i, instead: 'immediately, in one statement, at the same time' },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: 'automatically, alone' },
  { pattern: /\b(?:nobody|somebody)\b/i, instead: 'the party: a stranger, no wallet, another merchant' },
  { pattern: /\b(?:go|goes|went|going) on\b/i, instead: 'continue' },
  { pattern: /\bformer\b(?!_)/i, instead: 'previous' },
  { pattern: /\bbeside\b/i, instead: 'with, next to' },
  { pattern: /\bstands?\b/i, instead: 'is' },
  { pattern: /\b(?:rings?|rung|ringing)\b/i, instead: 'notify, notification' },
  { pattern: /\bforg[eo]ts?(?:ten)?\b/i, instead: 'delete' },
  { pattern: /\boperators? of (?:the|an) (?:service|installation)\b/i, instead: 'host' },
  { pattern: /\bpinned facts\b/i, instead: 'pinned details' },
  { pattern: /\btold\b/i, instead: 'notified, returned, recorded' },
];

/** Of the titles of tests: those of documents, and more, since a title only states a rule. */
export const TITLE_WORDS: readonly AvoidedWord[] = [
  ...DOCUMENT_WORDS,
  { pattern: /\b(?:ask(?:s|ed|ing)?)\b/i, instead: 'request, query, prompt' },
  { pattern: /\b(?:says?|said|saying)\b/i, instead: 'name, report, show, state' },
  { pattern: /\b(?:tells?|telling)\b/i, instead: 'notify, return, record, distinguish' },
  { pattern: /\blook(?:s|ed|ing)?\b(?!-alike)/i, instead: 'read, check, find' },
  { pattern: /\b(?:hear(?:s|d)?|listen(?:s|ed|ing))\b/i, instead: 'get, be notified' },
  { pattern: /\b(?:dead|dies?|died)\b/i, instead: 'ended, killed, away' },
  { pattern: /\b(?:lies?|lay|stood|standing)\b/i, instead: 'is, is stored in, depends on' },
  { pattern: /\bof (?:its|your|their|his|our|one's) own\b/i, instead: 'separate, its own' },
  { pattern: /\boperators?\b/i, instead: 'team member, host' },
  {
    pattern: /\busers?\b(?! (?:agent|verified))/i,
    // Of the operating system.
    except: /db\/embedded\/|deploy\.test/,
    instead: 'customer',
  },
  { pattern: /\bthe one who runs\b/i, instead: 'host' },
];

/** Of comments: words that identifiers still have. `answer` in backticks is a name of the code. */
export const COMMENT_WORDS: readonly AvoidedWord[] = [
  ...SOURCE_WORDS,
  { pattern: /\banswer(?:s|ed|ing)?\b/i, instead: 'response, return, respond' },
  { pattern: /\bat once\b/i, instead: 'immediately, in one statement, at the same time' },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: 'automatically, alone' },
  { pattern: /\bof (?:its|their|his|our|one's) own\b(?! (?:entries|role)\b)/i, instead: 'separate, its own' },
  { pattern: /\bformer\b/i, instead: 'previous' },
  { pattern: /\b(?:stands?(?!-in)|stood)\b/i, instead: 'is, is stored in' },
  { pattern: /\b(?:says?|said|saying)\b/i, instead: 'name, report, show, state' },
  { pattern: /\b(?:told|telling)\b/i, instead: 'notified, returned, recorded' },
  { pattern: /\b(?:hear(?:s|d)?)\b/i, instead: 'get, be notified' },
  { pattern: /\blook(?:s|ed|ing)? (?:at|for|like|into)\b/i, instead: 'read, check, find' },
  { pattern: /\b(?:dead|dies?|died)\b/i, instead: 'ended, killed, away' },
  { pattern: /\b(?:rings?|rung|ringing)\b/i, instead: 'notify, notification' },
  { pattern: /\bforg[eo]ts?(?:ten)?\b/i, instead: 'delete' },
];

/** Each line of a text that has one of the words. */
export function foundWords(file: string, text: string, words: readonly AvoidedWord[]): string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      words
        .filter(({ pattern, except }) => !except?.test(file) && pattern.test(line))
        .map(
          ({ pattern, instead }) =>
            `${file}: "${pattern.exec(line)?.[0]}" in "${line.trim().slice(0, 90)}": ${instead}`,
        ),
    );
}
