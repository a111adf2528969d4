import { companion } from '../../../companion'

const handle = (request: Request): Promise<Response> => companion.fetch(request)

export { handle as GET, handle as OPTIONS, handle as POST }
