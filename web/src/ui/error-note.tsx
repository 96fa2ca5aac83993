import { type ApiErrorCode, isApiError, isPayAssentError } from '@payassent/sdk';
import { common } from '../texts/common.ts';
import { Note } from './notes.tsx';

/** Every error shows what happened, what to do next, and what to quote to the host. */
export function ErrorNote({ error }: { error: unknown }) {
  if (isPayAssentError(error) && error.code === 'second_owner_needed')
    return (
      <Note kind="good">
        <strong>{common.errors.secondOwner}</strong>
        <span>{common.errors.secondOwnerNext}</span>
      </Note>
    );
  if (isPayAssentError(error) && error.code === 'change_pending')
    return (
      <Note kind="good">
        <strong>{common.errors.changePending}</strong>
        <span>{common.errors.changePendingNext}</span>
      </Note>
    );
  if (isApiError(error, 'step_up_required') && error.details.ways !== undefined)
    return <PayeeChangeNote ways={error.details.ways} />;
  const { message, next, requestId } = describeError(error);
  return (
    <Note kind="bad">
      <strong>{message}</strong>
      <span>{next}</span>
      {requestId === undefined ? null : (
        <span className="soft">
          {common.errors.reference} <code>{requestId}</code>
        </span>
      )}
    </Note>
  );
}

/** One of these ways, each with what a person does for it. */
function PayeeChangeNote({ ways }: { ways: readonly (keyof typeof common.errors.payeeChange.ways)[] }) {
  return (
    <Note kind="warn">
      <strong>{common.errors.payeeChange.title}</strong>
      <span>{common.errors.payeeChange.lead}</span>
      <ul>
        {ways.map((way) => (
          <li key={way}>{common.errors.payeeChange.ways[way]}</li>
        ))}
      </ul>
    </Note>
  );
}

/** The catalogue's advice is meant for programs; where a person does something else, this takes precedence. */
const nextSteps: Partial<Record<ApiErrorCode, string>> = common.errors.byCode;

const happened: Partial<Record<ApiErrorCode, string>> = common.errors.happened;

interface ErrorText {
  message: string;
  next: string;
  requestId: string | undefined;
}

function describeError(error: unknown): ErrorText {
  if (isApiError(error)) {
    const problems = error.issues.map((issue) => issue.message).join(' ');
    return {
      message: problems || (happened[error.code] ?? error.message),
      next: nextSteps[error.code] ?? error.recovery ?? common.errors.tryAgain,
      requestId: error.requestId,
    };
  }
  if (isPayAssentError(error))
    return { message: common.errors.unreachable, next: common.errors.checkConnection, requestId: undefined };
  return { message: common.errors.unexpected, next: common.errors.reload, requestId: undefined };
}

/** The problem of one field, for the place next to it. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!isApiError(error)) return undefined;
  return error.issues.find((issue) => issue.field === field)?.message;
}
