export { MAX_YAML_DEPTH, yamlTooDeepAt } from './yaml-depth.js';
