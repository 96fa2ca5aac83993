import type { Method } from './credential.ts';

/**
 * The part of an operation that the SDK needs at run time. The schemas stay with the service: the plain data of each
 * operation is generated from them.
 */
export interface OperationData<
  Params extends string = string,
  Body extends object = object,
  Query extends object = object,
  Answer extends object = object,
> {
  readonly method: Method;
  /** The published one, with `{name}` for parameters: messages and limits never carry an identifier. */
  readonly path: string;
  /** Members that a success always carries; without them the response is not from this service. */
  readonly answer: readonly string[];
  /** The response is a document without an envelope. */
  readonly isBare?: true;
  /** Where the second surface's envelope is spoken. */
  readonly surface?: 'second';
  /** For the compiler alone: no operation has it. */
  readonly types?: { params: Record<Params, string>; body: Body; query: Query; answer: Answer };
}

type Types<Of extends OperationData> = NonNullable<Of['types']>;
export type ParamsOf<Of extends OperationData> = Types<Of>['params'];
export type InputOf<Of extends OperationData> = Types<Of>['body'];
export type QueryOf<Of extends OperationData> = Types<Of>['query'];
/** The members of a success, without the envelope. */
export type AnswerOf<Of extends OperationData> = Types<Of>['answer'];
/** Of an operation that takes none. */
export type Nothing = Record<string, never>;
