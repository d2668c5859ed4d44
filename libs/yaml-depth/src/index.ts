export { compactMappings, MAX_YAML_DEPTH, type TooDeepYaml, yamlTooDeepAt } from './yaml-depth.js';
