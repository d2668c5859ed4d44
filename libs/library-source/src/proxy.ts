export { chooseProxy, ProxyAddressError } from './proxy/choose-proxy.js';
export { openTunnel } from './proxy/proxy-connection.js';
