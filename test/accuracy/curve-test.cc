#include "accuracy/curve.h"
