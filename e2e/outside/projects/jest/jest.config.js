/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'jsdom',
  transform: { '\\.[jt]sx?$': ['@swc/jest', { jsc: { transform: { react: { runtime: 'automatic' } } } }] },
  // The packages are ES modules, which Jest has to translate.
  transformIgnorePatterns: ['/node_modules/(?!.*@purchase-widget/)'],
}
