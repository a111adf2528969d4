import { getCompanion } from '../../../companion.ts'

const handle = (request: Request): Promise<Response> => getCompanion().fetch(request)

export { handle as GET, handle as POST }
