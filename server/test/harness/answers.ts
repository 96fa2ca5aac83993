import type { Route } from '../../src/http/route.ts';
import { compileValidator, type Validator } from '../../src/http/validate.ts';

const validators = new WeakMap<Route, Validator>();

/** Every success that leaves a test service is held against its published schema. */
export function checkAnswer(route: Route, status: number, body: Record<string, unknown>): void {
  const validate = validators.get(route) ?? compileValidator(route.answer);
  validators.set(route, validate);
  const issues = validate(route.surface === 'first' ? body : body['data']);
  if (issues.length > 0) {
    const list = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
    throw new Error(
      `${route.method} ${route.path} answered ${status} with a body that its schema refuses: ${list}`,
    );
  }
}
