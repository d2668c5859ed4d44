export { asksFor, preferredFormat } from './accept.js';
export { isJsonObject, jsonOrText, memberOf } from './json-object.js';
export { isIpv4, isLoopbackAddress, isLoopbackHost, isLoopbackSocket } from './loopback.js';
export { MAX_TIMER_MS } from './max-timer.js';
export { nearestName } from './nearest-name.js';
export {
  escapeControls,
  escapeLine,
  escapeLines,
  fileValue,
  sentence,
  shortened,
  wildcardExpression,
} from './text.js';
export {
  furtherViolations,
  limitViolations,
  MAX_VIOLATIONS,
  pointerTo,
  type RuleViolation,
  type Violation,
} from './violation.js';
export {
  compactMappings,
  MAX_YAML_ALIASES,
  MAX_YAML_DEPTH,
  type TooDeepYaml,
  yamlTooDeepAt,
} from './yaml-limits.js';
