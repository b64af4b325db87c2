/** The behavior of accounts where published sources disagree. */
export interface EmulatorAccountOptions {
  /**
   * The path of the list of permissions: `resources` is `permissions/resources`, as recorded; `permissions` is
   * `permissions`, as specified; `both` serves both. The path that is not served responds with 404.
   * @defaultValue 'both'
   */
  permissionsPath?: 'resources' | 'permissions' | 'both';
}
