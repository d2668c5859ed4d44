import { InvalidPasswordError } from '@svc/password-format';
import { Problem } from '@svc/service-kit';

/** The commander's own errors as answers; undefined for an error that is not one of them. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof InvalidPasswordError) {
    return new Problem({
      status: error.code === 'too_long' ? 413 : 400,
      detail: `${capitalize(error.message)}.`,
    });
  }
  return undefined;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
