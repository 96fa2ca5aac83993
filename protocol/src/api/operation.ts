import type { Static, TObject, TSchema } from 'typebox';
import type { Scope } from '../enumerations.ts';
import type { ErrorCode } from '../errors.ts';
import type { RateLimitName } from './limits.ts';
import type { SdkMethod } from './sdk-parts.ts';
import type { Tag } from './tags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Every kind of credential, by the name that operations use for it. */
const CREDENTIAL_KINDS = ['merchant', 'agent', 'claim', 'connection', 'wallet', 'api_key', 'admin'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** Which envelope a path uses: `{ok, …}` or `{success, data, …}`. */
export type Surface = 'first' | 'second';

/**
 * One operation of the API as data: the only place that states it. The server implements it, the SDK calls it, and the
 * OpenAPI document, the reference page and the tests are written from it.
 */
export interface Operation<
  Kinds extends CredentialKind = CredentialKind,
  Body extends TObject = TObject,
  Query extends TObject = TObject,
  Answer extends TSchema = TSchema,
  Path extends string = string,
> {
  /** The name people call it by: `createPaymentRequest`. */
  readonly id: string;
  readonly method: Method;
  /** With `{name}` for parameters. */
  readonly path: Path;
  /** One line for the reference page. */
  readonly summary: string;
  /** What the summary leaves out: effects, preconditions and next steps. */
  readonly description: string;
  readonly tag: Tag;
  /** The methods of the SDK that make this call and nothing else, and of a list the one that walks all of its pages. */
  readonly sdk?: SdkMethod | readonly SdkMethod[];
  /** Accepted kinds; an empty list needs no credential. */
  readonly credential: readonly Kinds[];
  /** Needed by connection tokens. */
  readonly scope?: Scope;
  /** Refuses connection tokens that a wallet has seen. */
  readonly needsOwnToken?: boolean;
  /** A mutation by a merchant that is still pending is refused unless this is set. */
  readonly allowsPendingMerchant?: boolean;
  /** Every call of a merchant that the operator of the service has suspended is refused unless this is set. */
  readonly allowsSuspendedMerchant?: boolean;
  /** Refuses a foreign `Origin` although no session is used yet; `or listed`: those of `SVC_CORS_ORIGINS` may call. */
  readonly sameOriginOnly?: true | 'or listed';
  readonly body?: Body;
  readonly query?: Query;
  /** Reads only, although its method is that of a change. */
  readonly changesNothing?: true;
  /** Reads the idempotency key from its three carriers; a repeat returns 200. */
  readonly idempotent?: boolean;
  /** Success status; 200 when absent. */
  readonly status?: 200 | 201 | 202;
  /** The status when the record existed already, so that nothing new was made. */
  readonly statusWhenKnown?: 200;
  /** The response, with 202, when the change takes effect later. */
  readonly waits?: TSchema;
  /** Members of the response (first surface) or of `data` (second). */
  readonly answer: Answer;
  /** The response is sent without the envelope. */
  readonly isBare?: true;
  /** What its events are called when a caller that accepts `text/event-stream` gets them as a stream. */
  readonly streams?: string;
  /** A body that succeeds once its identifiers are real; a test sends it. */
  readonly example?: Static<Body>;
  /** Codes beyond those that the declared checks can give. */
  readonly errors?: readonly ErrorCode[];
  /** The rate limit that counts every call; or one for each kind of credential. */
  readonly limit?: RateLimitName | Readonly<Partial<Record<CredentialKind, RateLimitName>>>;
  /** Rate limits whose subject only the implementation knows. */
  readonly lateLimits?: readonly RateLimitName[];
}

// biome-ignore lint/complexity/noBannedTypes: an absent schema leaves no members
export type Nothing = TObject<{}>;

/** An operation that is stated whole: one that is not published. */
export function operation<
  const Kinds extends CredentialKind = never,
  Body extends TObject = Nothing,
  Query extends TObject = Nothing,
>(spec: Operation<Kinds, Body, Query>): Operation<Kinds, Body, Query> {
  return spec;
}

/** What an entry states beyond its name and its call; what its group shares may be stated otherwise. */
interface Entry<
  Kinds extends CredentialKind,
  Body extends TObject,
  Query extends TObject,
  Answer extends TSchema,
> extends Omit<
    Operation<Kinds, Body, Query, Answer>,
    'id' | 'method' | 'path' | 'tag' | 'credential' | 'limit'
  > {
  readonly tag?: Tag;
  readonly credential?: readonly Kinds[];
  /** `none` where the implementation does its own rate limiting. */
  readonly limit?: Operation['limit'] | 'none';
}

type PathOf<Call extends string> = Call extends `${Method} ${infer Path}` ? Path : never;

/**
 * Operations that share a tag and the kinds of credential. What follows from a call need not be stated: which limit
 * counts it, that a path which names a record can name an absent one, and that a cursor can be wrong.
 */
export function operations<const Shared extends CredentialKind>(group: {
  tag: Tag;
  credential: readonly Shared[];
}) {
  return <
    const Call extends `${Method} /${string}`,
    const Kinds extends CredentialKind = Shared,
    Body extends TObject = Nothing,
    Query extends TObject = Nothing,
    Answer extends TSchema = TSchema,
  >(
    id: string,
    call: Call,
    entry: Entry<Kinds, Body, Query, Answer>,
  ): Operation<Kinds, Body, Query, Answer, PathOf<Call>> => {
    const [method = '', path = ''] = call.split(' ');
    const { limit: stated, ...rest } = { ...group, ...entry };
    const limit = stated ?? usualLimit(method, rest.credential);
    return { id, method, path, ...rest, ...(limit === 'none' ? {} : { limit }) } as never;
  };
}

/** Under which limit the changes of a caller count; the other kinds have no usual one. */
const CHANGES: Partial<Record<CredentialKind, RateLimitName>> = {
  wallet: 'wallet_mutations',
  merchant: 'merchant_mutations',
  admin: 'merchant_mutations',
  api_key: 'merchant_mutations',
};

function usualLimit(method: string, kinds: readonly CredentialKind[]): Operation['limit'] | 'none' {
  if (kinds.length === 0) return 'none';
  if (!isMutation(method)) return 'reads';
  const [first, ...others] = new Set(kinds.map((kind) => CHANGES[kind]));
  if (first === undefined) return 'none';
  return others.length === 0 ? first : Object.fromEntries(kinds.map((kind) => [kind, CHANGES[kind]]));
}

/** Distinguishes operations from the other exports of this module. */
export function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'path' in value && 'answer' in value;
}

/** What a caller sends in the body. */
export type BodyOf<Of> = Of extends { readonly body?: infer Body extends TObject } ? Static<Body> : never;
/** The same as a caller may write it: nothing of it is changed, so lists may be read-only. */
export type InputOf<Of> = Unchanged<BodyOf<Of>>;
type Unchanged<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Unchanged<Value[Name]> }
    : Value;
/** What a caller may send in the query; everything that has a default may be left out. */
export type QueryOf<Of> = Of extends { readonly query?: infer Query extends TObject }
  ? Partial<Static<Query>>
  : never;
/** The members of a success, without the envelope. */
export type AnswerOf<Of> = Of extends { readonly answer: infer Answer extends TSchema }
  ? Static<Answer>
  : never;
/** The `{names}` of the path. */
export type ParamsOf<Of> = Of extends { readonly path: infer Path extends string }
  ? Record<NamesIn<Path>, string>
  : never;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Members that every success carries. */
export function answerMembers(operation: Pick<Operation, 'answer'>): readonly string[] {
  const { required } = operation.answer as { required?: readonly string[] };
  return required ?? [];
}

export function surfaceOf(path: string): Surface {
  return /^\/v1\/(agent-payments|automation-policies)(\/|$|\?)/.test(path) ? 'second' : 'first';
}

export function isMutation(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
