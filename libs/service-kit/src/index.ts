export {
  ACCESS,
  type Access,
  CurrentPrincipal,
  Public,
  RequireOwnToken,
  RequireScope,
  RequireScopeOrAnonymous,
  RequireToken,
} from './access/access.decorators.js';
export { bearerTokenOf } from './access/authorizer.js';
export {
  type AnonymousAuthorizer,
  type AnonymousPrincipal,
  type CallerAuthorizer,
  type Principal,
  TOKEN_VERIFIER,
  type TokenVerifier,
} from './access/principal.js';
export { EventLoopYield } from './runtime/event-loop-yield.js';
export { HealthModule } from './health/health.module.js';
export { type ReadinessCheck } from './health/readiness.js';
export { AddRouteConfig } from './request/add-route-config.js';
export { countAsStream } from './http/limit-in-flight.js';
export { pathOf } from './request/request-head.js';
export { runUntilSignal } from './runtime/run-until-signal.js';
export { ApiCount, ApiOptionalCount } from './openapi/api-count.js';
export { type Refusals } from './openapi/describe-refusals.js';
export { type ApiDescription } from './openapi/serve-openapi.js';
export { type HttpService, type HttpServiceOptions, startHttpService } from './http/start-http-service.js';
export { addChildSpan, exemplarLabels, inChildSpan, inSpan, outgoingTraceContext } from './tracing/spans.js';
export { startTracing, type Tracing } from './tracing/start-tracing.js';
export { JsonBodyError, parseJson } from './json/parse-json.js';
export { closeSignal } from './request/response-close.js';
export { readJson, refuseEncodings } from './http/read-json-bodies.js';
export { activeCallers } from './runtime/active-callers.js';
export { countAsInvalidToken } from './limits/throttle-invalid-tokens.js';
export { DEFAULT_RATE_LIMITS, type RateLimits } from './limits/limit-rates.js';
export { callerKeyOf } from './limits/caller-key.js';
export { callerNetwork } from './limits/caller-network.js';
export { NeedsPlace } from './limits/route-places.js';
export { NoPlaceLeftError, type PlaceTaker, SharedPlaces } from './limits/shared-places.js';
export { parseRate, type Rate } from './limits/rate-limiter.js';
export { type AccessLogFields } from './logging/access-log.js';
export { createLogger } from './logging/create-logger.js';
export { Counter, createMetrics, Gauge, Histogram, type Metrics } from './metrics/metrics.js';
export { MetricsModule } from './metrics/metrics.module.js';
export { readTraceContext, type TraceContext } from './request/trace-context.js';
export { Problem, type ProblemOptions } from './problem/problem.js';
export { Violation, ProblemDocument } from './problem/problem-document.js';
export { type ProblemMapper } from './problem/problem.filter.js';
export { toViolations, toValidationProblem } from './problem/validation-problem.js';
