/** How accounts answer where what is published does not agree. */
export interface EmulatorAccountOptions {
  /**
   * Where the list of permissions is: at `permissions/resources`, as recorded; at `permissions`, as specified; or at
   * both. The other answers 404. Default `resources`.
   */
  permissionsPath?: 'resources' | 'permissions' | 'both';
}
