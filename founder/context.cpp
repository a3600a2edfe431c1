#include "founder/context.hpp"

namespace stratum::founder {

link::Problem problem(link::ProblemCode code, std::string detail) {
    link::Problem made;
    made.code = code;
    made.detail = std::move(detail);
    return made;
}

link::Problem store_problem(const Context& context, const Error& error) {
    if (context.options.on_fault) context.options.on_fault(error.message);
    link::Problem made = problem(link::ProblemCode::kInternal, error.message);
    if (error.code == ErrorCode::kUnavailable) made.headers.emplace_back("Retry-After", "2");
    return made;
}

} // namespace stratum::founder
