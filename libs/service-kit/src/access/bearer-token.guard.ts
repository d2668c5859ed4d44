import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ACCESS, type Access } from './access.decorators.js';
import type { Authorizer } from './authorizer.js';

/** Lets a request through when its route is public or its token is what the route asks for. Denies by default. */
export class BearerTokenGuard implements CanActivate {
  /** What each controller's handlers declare. */
  private readonly accesses = new Map<unknown, Map<unknown, Access>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authorizer: Authorizer,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.accessOf(context);
    if ('public' in access) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return this.authorizer.authorize(request, access)?.then(() => true) ?? true;
  }

  private accessOf(context: ExecutionContext): Access {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    const declared = this.accesses.get(controller) ?? new Map<unknown, Access>();
    const known = declared.get(handler);
    if (known) return known;
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, controller]);
    if (!access) throw new Error(`${controller.name} has a route without a declared scope`);
    this.accesses.set(controller, declared.set(handler, access));
    return access;
  }
}
