/** The query of a request without options: any is refused. */
export class NoQuery {}
