module.exports=[73320,a=>{"use strict";a.s([])}];

//# sourceMappingURL=1htg__bundles-fY51Vw_next__next-internal_server_app_page_actions_1y5cfir6wgz7_.js.map