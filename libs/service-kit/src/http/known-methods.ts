import type { FastifyInstance } from 'fastify';

/** Knows which methods a path takes, to tell a wrong method from a wrong path. */
export class KnownMethods {
  private readonly routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  /** Notes every route that is added from now on. */
  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ url, method }) => {
      const route = this.routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const each of [method].flat()) route.methods.add(each);
      this.routes.set(url, route);
    });
  }

  /** @param path as it was asked for, without its query @returns nothing when nothing is there, else in order */
  of(path: string): string[] {
    const methods = new Set<string>();
    for (const { pattern, methods: taken } of this.routes.values()) {
      if (pattern.test(path)) for (const method of taken) methods.add(method);
    }
    return [...methods].sort();
  }
}

/** `:name` stands for one segment, `*` for whatever is left (find-my-way's syntax). */
function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : escape(segment).replace(/\\\*$/, '.*')))
    .join('/');
  return new RegExp(`^${source}$`);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
