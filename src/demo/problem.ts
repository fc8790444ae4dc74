/** An error response (specification, section 7). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** A custom body; by default `{code, message}`. */
  readonly body: object | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    options: { body?: object; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.body = options.body;
    this.headers = options.headers ?? {};
  }
}

/** 422: a required field is missing, or a value is invalid. */
export function invalid(message: string): Problem {
  return new Problem(422, message);
}
